// The token that a QR code carried in the address: taken out of it, kept by this page, sent with every request.

const placeOf = (path) => `tableref-token ${path.startsWith("/seat/") ? path : "host"}`;
const PLACE = placeOf(location.pathname);

// What this browser keeps for the page; nothing where it keeps nothing, as in some private windows.
export const kept = {
  get(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // it is only less convenient
    }
  },
};

let token = null;
// Whether there was a token in the address. A code scanned while the page is open changes the fragment alone.
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    kept.set(PLACE, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  token = given || token || kept.get(PLACE);
  return Boolean(given);
}
takeToken();
// A new token is told as the event "token": what the page may do is to be asked again.
addEventListener("hashchange", () => takeToken() && dispatchEvent(new Event("token")));

// Keeps the token for another page of ours as well, which it is good for.
export function keepFor(path) {
  if (token) kept.set(placeOf(path), token);
}

// `fetch` with the token as a header: never in an address, so never in a log.
export function call(path, options = {}) {
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  return fetch(path, { ...options, headers });
}

// The picture at `path` as an address for an <img>; whoever shows it lets it go with URL.revokeObjectURL. Null when there is none.
export async function pictureAt(path) {
  try {
    const answer = await call(path);
    return answer.ok ? URL.createObjectURL(await answer.blob()) : null;
  } catch {
    return null;
  }
}

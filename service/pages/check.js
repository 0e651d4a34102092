// Whether everything works on this computer, and what to do where it does not.
import { t } from "./stream.js";
import { make, place, put } from "./dom.js";
import { call } from "./token.js";

function finding({ what, name, works, found, advice }) {
  return make("li", { className: works ? "works" : "broken" },
    make("strong", {}, make("span", { className: "sign", "aria-hidden": "true", textContent: works ? "✓" : "✗" }), ` ${name || what}: ${t(works ? "setup.works" : "setup.works_not")}`),
    make("p", { textContent: found || "" }), advice && !works ? make("p", { className: "advice", textContent: advice }) : null);
}

export async function check() {
  place("check-again").disabled = true;
  place("findings").setAttribute("aria-busy", "true");
  if (!place("findings").childElementCount) put(place("findings"), t("setup.checking"));
  const answer = await call("/api/doctor").catch(() => null);
  const findings = answer && answer.ok ? (await answer.json()).findings : null;
  if (findings) place("findings").replaceChildren(...findings.map(finding));
  else put(place("findings"), t("not_connected"));
  place("findings").removeAttribute("aria-busy");
  place("check-again").disabled = false;
}

export function startCheck() {
  place("check-again").addEventListener("click", check);
}

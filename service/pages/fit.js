// Type that is made smaller until it fits its place, so that nothing is cut. Knows no page.

// Tries sizes from 1 down to `least` until `fits(size)` says so after `element` got it as --NAME; gives the last one.
export function shrink(element, name, least, fits) {
  for (let size = 1; ; size = Math.max(least, size * 0.95)) {
    element.style.setProperty(`--${name}`, size.toFixed(3));
    if (size <= least || fits(size)) return size;
  }
}

const narrow = (element) => element.scrollWidth <= element.clientWidth;

// Whether what is in `element` needs no more room than it has; letters may reach a little beyond their lines.
export function holds(element) {
  const beyond = parseFloat(getComputedStyle(element).fontSize) * 0.2;
  return narrow(element) && element.scrollHeight <= element.clientHeight + beyond;
}

// Puts `element`, whose type follows --size, on one line if that needs no type smaller than `least`, else on several with
// whole words; only what is longer than a line is broken within.
export function fitLine(element, least, smallest) {
  element.classList.remove("wraps", "breaks");
  if (shrink(element, "size", least, () => narrow(element)) > least || narrow(element)) return;
  element.classList.add("wraps");
  shrink(element, "size", smallest, () => holds(element));
  if (holds(element)) return;
  element.classList.add("breaks");
  shrink(element, "size", smallest / 2, () => holds(element));
}

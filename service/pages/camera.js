// What the camera sees, a picture at a time: none is asked for while nobody looks.
import { isShown } from "./views.js";
import { pictureAt } from "./token.js";

let shown = null;

function show(address) {
  for (const image of document.querySelectorAll(".preview")) {
    if (address) image.src = address;
    image.hidden = !address;
  }
  for (const text of document.querySelectorAll(".no-preview")) text.hidden = Boolean(address);
  if (shown) URL.revokeObjectURL(shown);
  shown = address;
}

export async function watchCamera(onPicture) {
  for (;;) {
    let wait = 500;
    if (!document.hidden && (isShown("table") || isShown("camera"))) {
      const address = await pictureAt("/api/preview.jpg");
      show(address);
      onPicture(Boolean(address));
      wait = address ? (isShown("camera") ? 200 : 600) : 2000;
    }
    await new Promise((done) => setTimeout(done, wait));
  }
}

// What the camera sees, a picture at a time: none is asked for while nobody looks.
import { t } from "./stream.js";
import { put } from "./dom.js";
import { isShown } from "./views.js";
import { pictureAt } from "./token.js";

let shown = null;
let lost = "";

// Why there is no picture, while the camera does not work or its film is over; a picture from before is not shown.
export function showCamera({ works, reason }) {
  lost = works ? "" : reason || t("display.camera_lost");
  for (const text of document.querySelectorAll(".no-preview")) put(text, lost || t("setup.camera_none"));
  if (lost) show(null);
}

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
      const picture = lost ? null : await pictureAt("/api/preview.jpg");
      const address = lost ? null : picture;
      show(address);
      onPicture(Boolean(address));
      wait = address ? (isShown("camera") ? 200 : 600) : 2000;
    }
    await new Promise((done) => setTimeout(done, wait));
  }
}

// Executions as pictures: crashlit's own svg, shown as an image, in which nothing can run.
import { element, saveAs } from "./dom.js";

const shown = [];

/** Gives back what the pictures of the last answer took. */
export function dropPictures() {
  for (const url of shown.splice(0)) URL.revokeObjectURL(url);
}

function image(svg, words) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  shown.push(url);
  return element("img", { src: url, alt: words });
}

/** One that can be unfolded: its pictures, each of which can be saved, and its text. */
export function picture({ title, svgs, text }, name) {
  const parts = [element("summary", {}, title)];
  for (const [i, svg] of svgs.entries()) {
    const file = i ? `${name}-${i + 1}.svg` : `${name}.svg`;
    parts.push(
      element("div", { className: "scroll", tabIndex: 0, ariaLabel: `picture: ${title}` }, image(svg, title)),
      element("button", { type: "button", className: "small", onclick: () => saveAs(file, "image/svg+xml", svg) }, "Save the picture"),
    );
  }
  if (text) parts.push(element("details", {}, element("summary", { className: "small" }, "as text"), element("pre", {}, text)));
  return element("details", { className: "execution" }, ...parts);
}

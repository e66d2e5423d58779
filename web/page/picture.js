// Executions as pictures: crashlit's own svg, shown as an image, in which nothing can run.
import { element, saveAs } from "./dom.js";

// What there is on the page: the picture as the program made it, and where it is shown.
const shown = [], dark = matchMedia("(prefers-color-scheme: dark)");
let darkStyle = "";

const SMALLEST = [{ name: "dark.litmus", text: "OPENCL dark\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n" }];

/** Asks the program how pictures are on dark paper: those in records leave that to the page, whole documents have it. */
export async function loadDark(run) {
  const { written } = await run(["check", "-e", "enum", "--format", "svg=/out/dark.svg", "dark.litmus"], SMALLEST);
  darkStyle = (/<style>([\s\S]*?)<\/style>/.exec(written?.["dark.svg"] ?? "")?.[1] ?? "").replaceAll("@media screen and (prefers-color-scheme: dark)", "@media all");
  repaint();
}

/** Whether what is shown is dark. */
export const isDark = () => dark.matches && !document.documentElement.classList.contains("presenting");

function paint({ svg, image, isLight }) {
  URL.revokeObjectURL(image.src);
  const painted = isDark() && !isLight ? svg.replace(/>/, `><style>${darkStyle}</style>`) : svg;
  image.src = URL.createObjectURL(new Blob([painted], { type: "image/svg+xml" }));
}

/** All pictures anew, as the page has become light or dark. */
export const repaint = () => shown.forEach(paint);
dark.addEventListener("change", repaint);

/** Gives back what the pictures of the last answer took. */
export function dropPictures() {
  for (const { image } of shown.splice(0)) URL.revokeObjectURL(image.src);
}

function imageOf(svg, words, isLight) {
  const image = element("img", { alt: words, title: "click: as large as it is, or as wide as the pane", onclick: ({ target }) => target.classList.toggle("real") });
  shown.push({ svg, image, isLight });
  paint(shown.at(-1));
  return image;
}

/** One that can be unfolded: its pictures, each of which can be saved, and its text. */
export function picture({ title, svgs, text, isLight }, name) {
  const parts = [element("summary", {}, title)];
  for (const [i, svg] of svgs.entries()) {
    const file = i ? `${name}-${i + 1}.svg` : `${name}.svg`;
    parts.push(
      element("div", { className: "scroll", tabIndex: 0, ariaLabel: `picture: ${title}` }, imageOf(svg, title, isLight)),
      element("button", { type: "button", className: "small", onclick: () => saveAs(file, "image/svg+xml", svg) }, "Save the picture"),
    );
  }
  if (text) parts.push(element("details", {}, element("summary", { className: "small" }, "as text"), element("pre", {}, text)));
  return element("details", { className: "execution" }, ...parts);
}

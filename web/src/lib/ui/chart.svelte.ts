// A series over moves, drawn by uPlot: the one chart of the app, for whichever page needs one.
import { untrack } from "svelte";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export type Series = {
  x: number[];
  y: (number | null)[];
  /** What a value is called under the pointer. */
  text: (index: number) => string;
  lowest: number;
  highest: number;
  middle: number;
  /** Values that stand out: the index, and the colour of the theme. */
  dots: readonly { index: number; colour: string }[];
};

/** Draw a series on an element, with a line where `shown` is; `onpick` gets the index that was clicked. */
export function chart(series: Series, shown: () => number | null, onpick: (index: number) => void) {
  return (element: HTMLElement) => {
    const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
    const size = () => ({
      width: Math.max(50, element.clientWidth),
      height: Math.max(50, element.clientHeight),
    });
    const label = document.createElement("div");
    label.className = "chart-label";
    const plot = new uPlot(
      {
        ...size(),
        legend: { show: false },
        padding: [6, 6, 6, 6],
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
        scales: { x: { time: false }, y: { range: [series.lowest, series.highest] } },
        axes: [{ show: false }, { show: false }],
        series: [
          {},
          {
            stroke: colour("--accent"),
            width: 2,
            fill: colour("--accent-soft"),
            fillTo: series.middle,
            points: { show: series.x.length < 2 },
          },
        ],
        hooks: {
          draw: [
            (u) => {
              const ratio = devicePixelRatio;
              u.ctx.save();
              u.ctx.strokeStyle = colour("--muted");
              u.ctx.lineWidth = ratio;
              const line = (x1: number, y1: number, x2: number, y2: number) => {
                u.ctx.beginPath();
                u.ctx.moveTo(x1, y1);
                u.ctx.lineTo(x2, y2);
                u.ctx.stroke();
              };
              const middle = u.valToPos(series.middle, "y", true);
              line(u.bbox.left, middle, u.bbox.left + u.bbox.width, middle);
              for (const dot of series.dots) {
                u.ctx.fillStyle = colour(dot.colour);
                u.ctx.beginPath();
                const [x, y] = [series.x[dot.index] ?? 0, series.y[dot.index] ?? series.middle];
                u.ctx.arc(u.valToPos(x, "x", true), u.valToPos(y, "y", true), 3.5 * ratio, 0, 2 * Math.PI);
                u.ctx.fill();
              }
              const here = untrack(shown);
              if (here !== null) {
                u.ctx.strokeStyle = colour("--bad");
                u.ctx.lineWidth = 2 * ratio;
                const x = u.valToPos(here, "x", true);
                line(x, u.bbox.top, x, u.bbox.top + u.bbox.height);
              }
              u.ctx.restore();
            },
          ],
          setCursor: [
            (u) => {
              const index = u.cursor.idx;
              label.textContent = index == null ? "" : series.text(index);
            },
          ],
        },
      },
      [series.x, series.y],
      element,
    );
    element.append(label);
    $effect(() => {
      shown();
      plot.redraw(false);
    });
    const click = () => plot.cursor.idx != null && onpick(plot.cursor.idx);
    plot.over.addEventListener("click", click);
    const resize = new ResizeObserver(() => plot.setSize(size()));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.destroy();
      label.remove();
    };
  };
}

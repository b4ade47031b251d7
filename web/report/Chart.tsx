// A chart with a description and a table of its numbers. It is redrawn when its width changes.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Fold, type Numbers } from "./Table";

interface Options {
  title: string;
  label: string; // the description for screen readers
  draw: (width: number) => Element;
  numbers: Numbers | Numbers[];
  most?: number; // maximum width in pixels
  children?: ComponentChildren;
}

export function useWidth(most: number) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth(Math.min(most, Math.floor(place.current!.clientWidth)));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(place.current!);
    return () => watch.disconnect();
  }, [most]);
  return { place, width };
}

export function Chart({ title, label, draw, numbers, most = 960, children }: Options) {
  const { place, width } = useWidth(most);
  useLayoutEffect(() => {
    if (width === 0) return;
    const svg = draw(width);
    svg.setAttribute("role", "img");
    for (const part of svg.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label"); // "dot" and "tick" help no listener
    svg.setAttribute("aria-label", label);
    place.current!.replaceChildren(svg);
  }, [width, draw, label]);
  return (
    <figure>
      <figcaption>
        <h3>{title}</h3>
        {children}
      </figcaption>
      <div class="chart" ref={place} />
      <Fold tables={[numbers].flat()} />
    </figure>
  );
}

import UPlot from 'uplot';
import { dayName } from '../shared/format.ts';
import type { Day } from './usage-table.ts';

/** The lines of the chart. They differ by more than colour. */
const plotted = [
  { name: 'sent', colour: '--chart-sent' },
  { name: 'delivered', colour: '--chart-delivered' },
  { name: 'bounced', colour: '--chart-bounced', dash: [7, 4] },
  { name: 'complained', colour: '--chart-complained', dash: [2, 3] },
] as const;

/**
 * Draws the days into an element, filling it, and again when its size or the colour scheme changes. Nothing is animated.
 *
 * @param onDay gets the day under the pointer.
 * @returns a function that removes the drawing.
 */
export function drawUsage(
  element: HTMLElement,
  days: readonly Day[],
  onDay: (index: number | undefined) => void,
): () => void {
  const style = getComputedStyle(element);
  const colour = (name: string) => () => style.getPropertyValue(name);
  const bars = UPlot.paths.bars?.({ size: [0.7, 48], radius: 0.15 });
  const sizeNow = () => ({ width: element.clientWidth, height: element.clientHeight });
  const plot = new UPlot(
    {
      ...sizeNow(),
      legend: { show: false },
      cursor: {
        y: false,
        move: onDays,
        points: { show: false },
        drag: { x: false, y: false, setScale: false },
      },
      scales: {
        x: { time: false, range: () => [-0.6, days.length - 0.4] },
        y: { range: (_plot, _least, most) => [0, Math.max(4, most * 1.05)] },
      },
      axes: axesOf(style, days),
      series: [
        {},
        ...plotted.map(({ colour: name, ...shape }) => ({
          stroke: colour(name),
          width: 2,
          points: { show: false },
          ...('dash' in shape && { dash: [...shape.dash] }),
          ...(shape.name === 'sent' && bars && { paths: bars, fill: colour(name), width: 0 }),
        })),
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onDay(idx ?? undefined)] },
    },
    [
      days.map((_, place) => place),
      ...plotted.map(({ name }) =>
        days.map(({ sends, events }) => (name === 'sent' ? sends : events[name])),
      ),
    ],
    element,
  );
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => plot.redraw();
  scheme.addEventListener('change', redraw);
  const resizing = new ResizeObserver(() => {
    const { width, height } = sizeNow();
    if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
  });
  resizing.observe(element);
  return () => {
    scheme.removeEventListener('change', redraw);
    resizing.disconnect();
    plot.destroy();
  };
}

/** Days at the bottom, numbers of emails at the left. */
function axesOf(style: CSSStyleDeclaration, days: readonly Day[]): UPlot.Axis[] {
  const fontSize = Number.parseFloat(style.fontSize);
  const axis = {
    stroke: () => style.getPropertyValue('--quiet'),
    font: `${fontSize}px ${style.fontFamily}`,
    ticks: { show: false },
    gap: fontSize / 2,
  };
  return [
    {
      ...axis,
      grid: { show: false },
      size: 2 * fontSize,
      space: 5 * fontSize,
      incrs: [1, 2, 5, 10, 15, 30],
      values: (_plot, places) => places.map((place) => labelOf(days[place])),
    },
    {
      ...axis,
      grid: { stroke: () => style.getPropertyValue('--line'), width: 1 },
      size: (_plot, labels) =>
        fontSize * (1 + 0.65 * Math.max(1, ...(labels ?? []).map(({ length }) => length))),
      incrs: wholeSteps,
      values: (_plot, values) => values.map((value) => value.toLocaleString()),
    },
  ];
}

/** The pointer's line is on a day, never between two. */
const onDays: UPlot.Cursor.MousePosRefiner = (plot, left, top) =>
  left < 0 ? [left, top] : [plot.valToPos(Math.round(plot.posToVal(left, 'x')), 'x'), top];

const labelOf = (day: Day | undefined): string => (day ? dayName(day.day) : '');

/** No half emails: 1, 2, 5, 10, 20, … */
const wholeSteps = Array.from({ length: 10 }, (_, zeros) =>
  [1, 2, 5].map((step) => step * 10 ** zeros),
).flat();

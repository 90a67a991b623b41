import type { Tone } from '../shared/words.ts';

// Small plots beside numbers, never in their place: the number is in the text beside, so screen readers skip these.
// Sizes are attributes, as the page's policy allows no inline styles.

/** A share of 0 to 1 as a line: `<Bar share={0.4} tone="good" />`. */
export const Bar = ({ share, tone }: { share: number; tone?: Tone }) => (
  <svg class={`plot-bar ${tone ?? ''}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
    <rect width="100" height="6" class="rest" />
    <rect width={100 * Math.min(1, Math.max(0, share))} height="6" />
  </svg>
);

export type Tick = {
  /** 0 or more; the highest fills the strip. */
  readonly value: number;
  readonly tone?: Tone | undefined;
};

/** Equal spans of time side by side, 120 × 16: what went wrong is in its colour. */
export function Strip({ ticks }: { ticks: readonly Tick[] }) {
  const most = Math.max(1, ...ticks.map(({ value }) => value));
  const step = 120 / Math.max(1, ticks.length);
  return (
    <svg class="strip" width="120" height="16" viewBox="0 0 120 16" aria-hidden>
      {ticks.map(({ value, tone = '' }, place) => {
        const height = value === 0 ? 1 : 2 + (14 * value) / most;
        return (
          <rect
            key={place}
            class={tone}
            x={place * step}
            y={16 - height}
            width={Math.max(1, step - 1)}
            height={height}
          />
        );
      })}
    </svg>
  );
}

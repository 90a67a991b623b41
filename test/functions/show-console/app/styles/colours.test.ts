import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { barParts } from '../../../../../functions/show-console/app/overview/bars.ts';

const css = readFileSync(
  join(import.meta.dirname, '../../../../../functions/show-console/app/styles/colours.css'),
  'utf8',
);

const coloursIn = (part = '') =>
  new Map(
    [...part.matchAll(/--([\w-]+): (#[\da-f]{3,6});/g)].map(([, name = '', hex = '']) => [
      name,
      hex,
    ]),
  );

const [lightPart, darkPart] = css.split('@media (prefers-color-scheme: dark)');
const schemes = { light: coloursIn(lightPart), dark: coloursIn(darkPart) };

function luminance(hex: string): number {
  const digits =
    hex.length === 4 ? [...hex.slice(1)].map((one) => one + one).join('') : hex.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2's contrast ratio. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Each ink, and the grounds it's on. */
const pairs = [
  ...['text', 'quiet'].flatMap((ink) =>
    ['page', 'side', 'card', 'hover'].map((ground) => [ink, ground] as const),
  ),
  ...['text', 'quiet'].flatMap((ink) =>
    ['good', 'bad', 'warn'].map((tone) => [ink, `${tone}-ground`] as const),
  ),
  ...['good', 'bad', 'warn'].map((tone) => [tone, `${tone}-ground`] as const),
  ...['page', 'side', 'card'].map((ground) => ['faint', ground] as const),
  // The page that's open, in the navigation.
  ['text', 'line'],
  // Outcomes, and faults at their fields.
  ...['good', 'bad', 'warn', 'info', 'person'].flatMap((tone) =>
    ['page', 'card', 'hover'].map((ground) => [tone, ground] as const),
  ),
  ['on-accent', 'accent'],
  ['on-accent', 'pressed'],
  ['card', 'bad'],
] as const;

describe.each(['light', 'dark'] as const)('in the %s scheme', (name) => {
  const scheme = schemes[name];

  it.each(pairs)('%s can be read on %s', (ink, ground) => {
    const [one, other] = [scheme.get(ink), scheme.get(ground)];
    if (one === undefined || other === undefined) throw new Error(`No ${ink} or ${ground}`);

    expect(contrast(one, other)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['page', 'card'])('the edge of a field can be seen on %s', (ground) => {
    expect(contrast(scheme.get('control') ?? '', scheme.get(ground) ?? '')).toBeGreaterThanOrEqual(
      3,
    );
  });

  it.each(barParts)('a bar of what was %s can be seen on its card', (part) => {
    const colours = [scheme.get(`chart-${part}`) ?? '', scheme.get('card') ?? ''] as const;

    expect(contrast(...colours)).toBeGreaterThanOrEqual(3);
  });
});

it('names the same colours in both schemes', () => {
  expect([...schemes.dark.keys()]).toEqual([...schemes.light.keys()]);
});

import { Choice, type Typed } from '../parts/form.tsx';
import type { Policy } from './policy.ts';

type Tracking = NonNullable<Policy['tracking']>;

const parts = [
  ['opens', 'Track opens'],
  ['clicks', 'Track clicks'],
] as const;

const shown = (said: boolean | undefined): string | undefined =>
  said === undefined ? undefined : said ? 'on' : 'off';

const read = (choice: string | undefined): boolean | undefined =>
  choice === undefined ? undefined : choice === 'on';

/** @param otherwise what applies if nothing is chosen. */
export const TrackingFields = ({
  tracking,
  otherwise,
}: {
  tracking: Tracking | undefined;
  otherwise: string;
}) => (
  <>
    {parts.map(([name, label]) => (
      <Choice
        key={name}
        label={label}
        name={name}
        value={shown(tracking?.[name])}
        options={[
          ['', otherwise],
          ['on', 'On'],
          ['off', 'Off'],
        ]}
      />
    ))}
  </>
);

/** `undefined` if nothing is chosen. */
export function typedTracking(typed: Typed): Tracking | undefined {
  const opens = read(typed('opens'));
  const clicks = read(typed('clicks'));
  if (opens === undefined && clicks === undefined) return undefined;
  return { ...(opens !== undefined && { opens }), ...(clicks !== undefined && { clicks }) };
}

/** For the settings: `null` removes it, `undefined` leaves it unchanged. */
export function trackingChange(
  before: Tracking | undefined,
  typed: Typed,
): Tracking | null | undefined {
  const now = typedTracking(typed);
  const isSame = before?.opens === now?.opens && before?.clicks === now?.clicks;
  return isSame ? undefined : (now ?? null);
}

/** Empty if the policy doesn't say. */
export function trackingText({ opens, clicks }: Tracking = {}): string {
  const words = [
    ...(opens === undefined ? [] : [`opens ${shown(opens)}`]),
    ...(clicks === undefined ? [] : [`clicks ${shown(clicks)}`]),
  ];
  return words.length === 0 ? '' : `Tracking: ${words.join(', ')}.`;
}

/** One line of the table that `npm run bench` prints. */
export type Row = {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
};

/** A value that must not be below the target. */
export const atLeast = (what: string, value: number, least: number, detail: string): Row => ({
  what,
  measured: `${format(value)}${detail}`,
  target: `≥ ${format(least)}`,
  met: value >= least,
});

/** A value that must not be above the target. */
export const atMost = (what: string, value: number, most: number, detail = ''): Row => ({
  what,
  measured: `${format(value)}${detail}`,
  target: `≤ ${format(most)}`,
  met: value <= most,
});

/** A value worth knowing, without a target of its own. */
export const forInformation = (what: string, measured: string): Row => ({
  what,
  measured,
  target: '–',
  met: true,
});

/** The rows as a Markdown table. */
export function renderTable(rows: readonly Row[]): string {
  const lines = rows.map(({ what, measured, target, met }) =>
    tableLine([what, measured, target, target === '–' ? '–' : met ? 'yes' : '**no**']),
  );
  return [tableLine(['What', 'Measured', 'Target', 'Met']), '|---|---|---|---|', ...lines].join(
    '\n',
  );
}

const tableLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const format = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en-US') : value.toFixed(2);

/** What one part of the benchmark found. */
export type Report = {
  readonly rows: readonly Row[];
  /** Markdown, for what would make the main table long. */
  readonly details?: string;
};

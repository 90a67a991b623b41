import type { Row } from './row.ts';

/** What one part of the benchmark found out. */
export type Report = {
  readonly rows: readonly Row[];
  /** A table of its own, for what would make the main one long. */
  readonly details?: { readonly title: string; readonly rows: readonly Row[] };
};

import type { Answer } from '../../../api.ts';

export type ImportReport = Answer<'POST /api/v1/suppressions/import'>;

/** The total after another request with the same file: rows that an earlier one imported come back as unchanged. */
export const addReport = (before: ImportReport | undefined, next: ImportReport): ImportReport => ({
  ...next,
  imported: (before?.imported ?? 0) + next.imported,
  unchanged: Math.max(0, next.unchanged - (before?.imported ?? 0)),
});

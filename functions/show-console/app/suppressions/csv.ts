import type { Answer } from '../../../api.ts';

/** From the `Link` header of one part of an export (RFC 8288). */
export function nextCursorOf(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>;\s*rel="next"/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  return new URL(address, 'https://service.invalid').searchParams.get('cursor') ?? undefined;
}

/** Only the first part keeps its header line. */
export function joinParts(parts: readonly string[]): string {
  return parts
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('\n') + 1)))
    .join('');
}

export type ImportReport = Answer<'POST /api/v1/suppressions/import'>;

/** The total after another request with the same file: rows that an earlier one imported come back as unchanged. */
export const addReport = (before: ImportReport | undefined, next: ImportReport): ImportReport => ({
  ...next,
  imported: (before?.imported ?? 0) + next.imported,
  unchanged: Math.max(0, next.unchanged - (before?.imported ?? 0)),
});

/** The cursor of the next part of an export, from its `Link` header (RFC 8288). */
export function nextCursorOf(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>;\s*rel="next"/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  return new URL(address, 'https://service.invalid').searchParams.get('cursor') ?? undefined;
}

/** Joins the parts of an export. Only the first keeps its header line. */
export function joinParts(parts: readonly string[]): string {
  return parts
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('\n') + 1)))
    .join('');
}

export type ImportReport = {
  readonly imported: number;
  readonly unchanged: number;
  readonly refused: readonly { readonly line: number; readonly message: string }[];
  readonly isComplete: boolean;
};

/**
 * The total after one more request with the same file. Rows that an earlier request imported come back as unchanged.
 */
export const addReport = (before: ImportReport | undefined, next: ImportReport): ImportReport => ({
  ...next,
  imported: (before?.imported ?? 0) + next.imported,
  unchanged: Math.max(0, next.unchanged - (before?.imported ?? 0)),
});

/** The cursor of the next part of an export, from its header `Link` (RFC 8288). */
export function nextCursorOf(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>;\s*rel="next"/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  return new URL(address, 'https://service.invalid').searchParams.get('cursor') ?? undefined;
}

/** One file out of the parts of an export: only the first keeps its header. */
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
 * What a file has come to after one more request with it. What an earlier request imported counts as unchanged in the
 * next one.
 */
export const addReport = (before: ImportReport | undefined, next: ImportReport): ImportReport => ({
  ...next,
  imported: (before?.imported ?? 0) + next.imported,
  unchanged: Math.max(0, next.unchanged - (before?.imported ?? 0)),
});

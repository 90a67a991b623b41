import { parseCsv } from '#shared/csv/csv';

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

/** Without the header. */
export const rowsIn = (part: string): number => Math.max(0, [...parseCsv(part)].length - 1);

type Attached = {
  readonly attachmentCount?: number | undefined;
  readonly attachmentBytes?: number | undefined;
};

/** What went with an email: `2 attachments, 1.2 MB`; `undefined` if nothing did. */
export function attachmentsText({
  attachmentCount: count = 0,
  attachmentBytes: bytes = 0,
}: Attached): string | undefined {
  if (count === 0) return undefined;
  return `${count === 1 ? '1 attachment' : `${count} attachments`}, ${sizeText(bytes)}`;
}

/** In the unit that a person would choose. Nothing is 1,000 KB: it's 1 MB. */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  return `${Math.round(bytes / 100_000) / 10} MB`;
}

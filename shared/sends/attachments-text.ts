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

/** In the unit that a person would choose, a megabyte as the limit of attachments counts it. */
function sizeText(bytes: number): string {
  if (bytes < kilobyte) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kilobytes = Math.round(bytes / kilobyte);
  if (kilobytes < 1_000) return `${kilobytes} KB`;
  return `${Math.round((10 * bytes) / kilobyte ** 2) / 10} MB`;
}

const kilobyte = 1_024;

type Attached = {
  readonly attachmentCount?: number | undefined;
  readonly attachmentBytes?: number | undefined;
};

/** Such as `2 attachments, 1.2 MB`; `undefined` for none. */
export function attachmentsText({
  attachmentCount: count = 0,
  attachmentBytes: bytes = 0,
}: Attached): string | undefined {
  if (count === 0) return undefined;
  return `${count === 1 ? '1 attachment' : `${count} attachments`}, ${sizeText(bytes)}`;
}

/** In the unit a person would choose, with megabytes as the limit of attachments counts them. */
function sizeText(bytes: number): string {
  if (bytes < kilobyte) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kilobytes = Math.round(bytes / kilobyte);
  if (kilobytes < 1_000) return `${kilobytes} KB`;
  return `${Math.round((10 * bytes) / kilobyte ** 2) / 10} MB`;
}

const kilobyte = 1_024;

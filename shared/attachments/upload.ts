import type { UploadId } from '#shared/tokens/resource-id';

/** Where and how the caller puts the bytes: exactly so many, of exactly this type, once. */
export type UploadTicket = {
  readonly uploadId: UploadId;
  readonly url: string;
  readonly method: 'PUT';
  /** To be sent as they are: they are part of the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** Until when the bytes are taken, epoch milliseconds. */
  readonly expiresAt: number;
};

export type UploadedContent = {
  readonly bytes: Uint8Array;
  /** As the caller stated it when it asked for the ticket. */
  readonly contentType: string | undefined;
};

/** The uploaded bytes; `undefined` when they never came, or are gone. */
export type FetchUpload = (uploadId: UploadId) => Promise<UploadedContent | undefined>;

export type IssueTicket = (
  uploadId: UploadId,
  contentType: string,
  now: number,
) => Promise<UploadTicket>;

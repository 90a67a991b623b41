import { ServiceError } from '#shared/errors/service-error';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId, UploadId } from '#shared/tokens/resource-id';
import type { Attachment, AttachmentContent, OutgoingAttachment } from './attachment.ts';
import type { AttachmentLimits } from './attachment-limits.ts';
import { grownTooLarge } from './attachment-rejection.ts';
import { usableTypeOf } from './content-type.ts';
import type { FetchedFile, FileFetcher } from './file-fetcher.ts';
import { fileNameFault } from './file-name.ts';
import type { SlowFetches } from './slow-fetches.ts';
import type { UploadedContent } from './upload-store.ts';

export type AttachmentSources = {
  readonly attachmentLimits: AttachmentLimits;
  readonly fetchUpload: (uploadId: UploadId) => Promise<UploadedContent | undefined>;
  readonly fetchFile: FileFetcher;
  readonly slowFetches: SlowFetches;
  /** Whether it's there already, whatever its URL. */
  readonly isHeld?: (attachment: Attachment) => boolean;
};

export type Loading = {
  readonly organizationId: OrganizationId;
  readonly knownBytes: number;
  /** Aborted when the files behind URLs must have loaded. */
  readonly signal: AbortSignal;
};

const fetchWidth = 5;

/**
 * The first failure ends the others.
 *
 * @throws ServiceError `unknown_upload` when an upload never arrived or is gone; `attachment_not_fetched` or
 *   `too_large` for a URL; `slow_fetch_limit_reached` if too many requests wait for slow files.
 */
export async function loadAttachments(
  attachments: readonly Attachment[],
  sources: AttachmentSources,
  loading: Loading,
): Promise<OutgoingAttachment[]> {
  const isFetched = (one: Attachment) => one.content.kind === 'url' && !sources.isHeld?.(one);
  if (!attachments.some(isFetched)) return loadAll(attachments, sources, loading);
  const { signal: refused, end } = await sources.slowFetches.begin(loading.organizationId);
  const signal = AbortSignal.any([loading.signal, refused]);
  try {
    return await loadAll(attachments, sources, { ...loading, signal });
  } catch (error) {
    if (refused.aborted && !loading.signal.aborted) throw refused.reason;
    throw error;
  } finally {
    await end();
  }
}

async function loadAll(
  attachments: readonly Attachment[],
  sources: AttachmentSources,
  { knownBytes, signal }: Loading,
): Promise<OutgoingAttachment[]> {
  const loaded = new Map<number, OutgoingAttachment>();
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const takeBytes = budgetOf(sources.attachmentLimits.maxTotalBytes - knownBytes);
  const load = async ([index, attachment]: readonly [number, Attachment]) => {
    try {
      loaded.set(index, await loadOne(index, attachment, sources, takeBytes, either));
    } catch (error) {
      failure.abort();
      throw error;
    }
  };
  const [near, far] = byDistance(attachments);
  await Promise.all([Promise.all(near.map(load)), inParallel(far, fetchWidth, load)]);
  return [...attachments.keys()].flatMap((index) => loaded.get(index) ?? []);
}

type Placed = readonly [index: number, attachment: Attachment];

/** Those inline or in our bucket, and those elsewhere. */
function byDistance(attachments: readonly Attachment[]): readonly [Placed[], Placed[]] {
  const placed = [...attachments.entries()];
  const isFar = ([, { content }]: Placed) => content.kind === 'url';
  return [placed.filter((one) => !isFar(one)), placed.filter(isFar)];
}

/** Files behind URLs share what the others leave. */
function budgetOf(bytes: number): (taken: number) => boolean {
  let left = bytes;
  return (taken) => {
    left -= taken;
    return left >= 0;
  };
}

async function loadOne(
  index: number,
  { filename, contentType, contentId, content }: Attachment,
  sources: AttachmentSources,
  takeBytes: (bytes: number) => boolean,
  signal: AbortSignal,
): Promise<OutgoingAttachment> {
  const file = await fileOf(index, content, sources, takeBytes, signal);
  return {
    filename: filename ?? nameOf(file, index),
    contentType: contentType ?? file.contentType,
    contentId,
    bytes: file.bytes,
  };
}

async function fileOf(
  index: number,
  content: AttachmentContent,
  { fetchUpload, fetchFile, attachmentLimits }: AttachmentSources,
  takeBytes: (bytes: number) => boolean,
  signal: AbortSignal,
): Promise<LoadedFile> {
  switch (content.kind) {
    case 'inline':
      return { bytes: Buffer.from(content.base64, 'base64'), contentType: undefined };
    case 'upload': {
      const uploaded = await fetchUpload(content.uploadId);
      if (uploaded === undefined) throw unknownUpload(index);
      return { bytes: uploaded.bytes, contentType: usableTypeOf(uploaded.contentType) };
    }
    case 'url': {
      const outcome = await fetchFile(content.url, takeBytes, signal);
      const path = `attachments.${index}.url`;
      if (outcome.kind === 'failed') throw notFetched(path, outcome.reason);
      if (outcome.kind === 'too_large') throw grownTooLarge(attachmentLimits.maxTotalBytes, path);
      return { ...outcome.file, contentType: usableTypeOf(outcome.file.contentType) };
    }
  }
}

type LoadedFile = Pick<FetchedFile, 'bytes' | 'contentType'> & Partial<FetchedFile>;

function nameOf({ filename }: LoadedFile, index: number): string {
  const fault = filename === undefined ? 'is missing' : fileNameFault(filename);
  if (filename !== undefined && fault === undefined) return filename;
  const message = `is required: the name of the file at the URL ${fault}`;
  throw notFetched(`attachments.${index}.filename`, message);
}

function notFetched(path: string, message: string): ServiceError {
  return new ServiceError('attachment_not_fetched', undefined, { errors: [{ path, message }] });
}

/** The upload doesn't exist, or belongs to another organization. */
export function unknownUpload(index: number): ServiceError {
  const message = 'is unknown or has expired: uploads are kept for a day';
  return new ServiceError('unknown_upload', 'An attachment names an upload that doesn’t exist.', {
    errors: [{ path: `attachments.${index}.uploadId`, message }],
  });
}

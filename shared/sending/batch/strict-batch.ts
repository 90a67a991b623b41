import { type CountedWaiting, limitWaiting } from '#shared/access/limit-day';
import { limitTogether, refusalToStore } from '#shared/access/limit-sending';
import type { Attachment } from '#shared/attachments/attachment';
import type { FetchedFile } from '#shared/attachments/file-fetcher';
import { type AttachmentSources, loadAttachments } from '#shared/attachments/load-attachments';
import type { UploadedContent } from '#shared/attachments/upload-store';
import { longestFetchMs } from '#shared/config/attempt-time';
import { ServiceError } from '#shared/errors/service-error';
import { inParallel } from '#shared/timing/in-parallel';
import { openRoom } from '#shared/timing/room';
import type { UploadId } from '#shared/tokens/resource-id';
import type { Grounds } from '../admission.ts';
import { contentOf, type EmailForLater } from '../later/send-later.ts';
import { isForLater } from '../request/send-request.ts';
import type { Sending } from '../sending.ts';
import {
  attachmentBytesAtOnce,
  type Judged,
  mostAttachmentBytes,
  orRefused,
  recipientsNow,
  settledAs,
} from './judged-email.ts';

// All emails of a strict batch go out, or none. So whatever a single send checks during or after its claim is checked
// here, before the first claim. Nothing is written but counts.

type LoadedFiles = Pick<AttachmentSources, 'fetchUpload' | 'fetchFile'> & {
  /** Whether nothing needs to be fetched from a URL when it's sent. */
  readonly isHeld: (attachment: Attachment) => boolean;
};

/** Held for as long as the batch takes. What doesn't fit is loaded again when it's sent. */
const mostHeldBytes = 64 * 1024 * 1024;

export function holdFiles({ fetchUpload, fetchFile }: AttachmentSources): LoadedFiles {
  const uploads = new Map<UploadId, UploadedContent>();
  const files = new Map<string, FetchedFile>();
  let left = mostHeldBytes;
  const hold = <Id, File extends { readonly bytes: Uint8Array }>(
    held: Map<Id, File>,
    id: Id,
    file: File,
  ) => {
    if (held.has(id) || file.bytes.length > left) return;
    left -= file.bytes.length;
    held.set(id, file);
  };
  return {
    isHeld: ({ content }) => content.kind !== 'url' || files.has(content.url),
    fetchUpload: async (id) => {
      const upload = uploads.get(id) ?? (await fetchUpload(id));
      if (upload !== undefined) hold(uploads, id, upload);
      return upload;
    },
    fetchFile: async (url, takeRoom, signal) => {
      const file = files.get(url);
      if (file !== undefined) {
        return takeRoom(file.bytes.length) ? { kind: 'fetched', file } : { kind: 'too_large' };
      }
      const outcome = await fetchFile(url, takeRoom, signal);
      if (outcome.kind === 'fetched') hold(files, url, outcome.file);
      return outcome;
    },
  };
}

type Loaded = {
  /** Emails whose attachments can't be loaded are at fault. */
  readonly emails: readonly Judged[];
  /** Bytes that each email for later uses of the day's limit, by its place. */
  readonly laterBytes: ReadonlyMap<number, number>;
};

const width = 16;

export async function loadAll(
  judged: readonly Judged[],
  bodies: readonly unknown[],
  sources: AttachmentSources,
): Promise<Loaded> {
  const emails = [...judged];
  const laterBytes = new Map<number, number>();
  const room = openRoom(attachmentBytesAtOnce);
  const signal = AbortSignal.timeout(longestFetchMs);
  await inParallel([...judged.entries()], width, async ([place, email]) => {
    if (email.kind === 'settled') return;
    const { admission } = email;
    const one = { admission, body: bodies[place] };
    const loaded = await room.run(mostAttachmentBytes(admission, sources), () =>
      orRefused(() => load(one, sources, signal)),
    );
    if (loaded instanceof ServiceError) {
      emails[place] = settledAs(email, { ok: false, error: loaded }, true);
    } else if (loaded !== undefined) {
      laterBytes.set(place, loaded);
    }
  });
  return { emails, laterBytes };
}

/** @returns the bytes to store, if the email goes out later. */
async function load(
  email: Pick<EmailForLater, 'admission' | 'body'>,
  sources: AttachmentSources,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { organization, request, recipients, attachments } = email.admission;
  if (isForLater(request)) return (await contentOf(email, sources, signal)).bytes;
  const isInline = request.attachments.every(({ content }) => content.kind === 'inline');
  if (isInline || recipients.isToSuppressed) return undefined;
  await loadAttachments(request.attachments, sources, {
    organizationId: organization.id,
    knownBytes: attachments.totalBytes,
    signal,
  });
  return undefined;
}

/**
 * Counts all emails towards the organization's limits, or none. If the process dies, the bytes stay counted until
 * midnight, as with a single email that isn't stored.
 *
 * @returns a function that gives back an email's bytes if it isn't stored after all.
 * @throws ServiceError of the limit that refuses them.
 */
export async function countTogether(
  { emails, laterBytes }: Loaded,
  recipients: readonly number[],
  { apiKey, organization }: Grounds,
  now: number,
  sending: Sending,
): Promise<(place: number) => CountedWaiting | undefined> {
  const bytes = [...laterBytes.values()].reduce((sum, one) => sum + one, 0);
  const isTest = apiKey.test === true;
  const waiting =
    bytes > 0 ? await limitWaiting(organization, bytes, now, sending, { isTest }) : undefined;
  const sizes = emails.map((email, place) => recipientsNow(email, recipients[place]));
  const outNow = sizes.filter((size) => size > 0);
  try {
    await limitTogether(organization, outNow, now, sending, apiKey);
    const stored = emails.filter(({ kind }) => kind === 'admitted').length;
    const full = stored > 0 && refusalToStore(organization, stored - 1, now, sending, apiKey);
    if (full) throw full;
  } catch (error) {
    await waiting?.giveBack().catch(() => {});
    throw error;
  }
  return (place) => {
    const part = laterBytes.get(place);
    return waiting && part !== undefined ? { giveBack: () => waiting.giveBack(part) } : undefined;
  };
}

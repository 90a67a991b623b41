import { describe, expect, it } from 'vitest';
import type { FetchOutcome, FileFetcher } from '#shared/attachments/file-fetcher';
import { type AttachmentSources, loadAttachments } from '#shared/attachments/load-attachments';
import { neverSlow, type SlowFetches } from '#shared/attachments/slow-fetches';
import { ServiceError } from '#shared/errors/service-error';
import { newOrganizationId, newUploadId } from '#shared/tokens/resource-id';
import { buildAttachments } from '../../support/attachment-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const organizationId = newOrganizationId();
const uploadId = newUploadId(organizationId, 3);
const upload = { filename: 'a.pdf', uploadId, contentBase64: undefined };
const bytes = Buffer.from('abc');

const load = (
  fields: readonly Readonly<Record<string, unknown>>[],
  sources: Partial<AttachmentSources> = {},
  knownBytes = 0,
) =>
  loadAttachments(
    buildAttachments(...fields),
    {
      fetchUpload: unexpected('fetchUpload'),
      fetchFile: unexpected('fetchFile'),
      slowFetches: neverSlow,
      attachmentLimits: { maxCount: 5, maxTotalBytes: 1_000 },
      ...sources,
    },
    { organizationId, knownBytes, signal: AbortSignal.timeout(10_000) },
  );

const behind = (fields: Readonly<Record<string, unknown>> = {}) => ({
  ...{ filename: undefined, contentBase64: undefined, url: 'https://example.com/a.pdf' },
  ...fields,
});
const serving =
  (file: Partial<Extract<FetchOutcome, { kind: 'fetched' }>['file']> = {}): FileFetcher =>
  async () => ({
    kind: 'fetched',
    file: { bytes, contentType: 'application/pdf', filename: 'a.pdf', ...file },
  });

describe('loadAttachments', () => {
  it('decodes what is inside the request', async () => {
    const loaded = await load([{ contentType: 'text/plain', contentId: 'notes' }]);

    expect(loaded).toEqual([
      {
        ...{ filename: 'notes.txt', contentType: 'text/plain', contentId: 'notes' },
        bytes: Buffer.from('Hello'),
      },
    ]);
  });

  it.each([
    ['the request', 'text/csv', 'application/pdf', 'text/csv'],
    ['the upload, if the request names none', undefined, 'application/pdf', 'application/pdf'],
    ['neither, if neither names one', undefined, undefined, undefined],
    ['its name, if the upload’s says nothing', undefined, 'application/octet-stream', undefined],
    [
      'the request, even if it says nothing',
      'application/octet-stream',
      'application/pdf',
      'application/octet-stream',
    ],
  ])('gives an upload the content type of %s', async (_whose, asked, uploaded, expected) => {
    const loaded = await load([{ ...upload, contentType: asked }], {
      fetchUpload: async () => ({ bytes, contentType: uploaded }),
    });

    expect(loaded).toEqual([{ filename: 'a.pdf', contentType: expected, bytes }]);
  });

  it('names the upload that is not there', async () => {
    const error = await serviceErrorOf(() =>
      load([{}, upload], { fetchUpload: async () => undefined }),
    );

    expect(error.code).toBe('unknown_upload');
    expect(error.errors?.map(({ path }) => path)).toEqual(['attachments.1.uploadId']);
  });
});

describe('loadAttachments of files behind URLs', () => {
  it.each([
    ['both from the server', {}, {}, { filename: 'a.pdf', contentType: 'application/pdf' }],
    [
      'both from the request',
      { filename: 'mine.csv', contentType: 'text/csv' },
      { filename: 'run.exe' },
      { filename: 'mine.csv', contentType: 'text/csv' },
    ],
    [
      'the type from the name, as the server knows none',
      {},
      { contentType: 'binary/octet-stream' },
      { filename: 'a.pdf', contentType: undefined },
    ],
    [
      'the type from the name, as the server states none that mail knows',
      {},
      { contentType: 'multipart/mixed; boundary=x' },
      { filename: 'a.pdf', contentType: undefined },
    ],
  ])('takes name and type: %s', async (_what, fields, served, expected) => {
    const loaded = await load([behind(fields)], { fetchFile: serving(served) });

    expect(loaded).toEqual([{ ...expected, bytes }]);
  });

  it.each([undefined, 'run.exe', '../../etc/passwd', 'a\r\nb.pdf', 'invoice-\u202efdp.zip'])(
    'asks for a name when the server names the file %j',
    async (filename) => {
      const error = await serviceErrorOf(() =>
        load([{}, behind()], { fetchFile: serving({ filename }) }),
      );

      expect(error.code).toBe('attachment_not_fetched');
      expect(error.errors?.map(({ path }) => path)).toEqual(['attachments.1.filename']);
    },
  );

  it('names the URL that fails, without repeating it, and gives the others up', async () => {
    const signals: AbortSignal[] = [];
    const fetchFile: FileFetcher = (url, _takeBytes, signal) => {
      signals.push(signal);
      if (url.endsWith('/bad')) return Promise.resolve({ kind: 'failed', reason: 'answered 404' });
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'given up' }));
      });
    };
    const urls = ['/a', '/bad?token=secret', '/bad', '/c'].map((path) => ({
      url: `https://example.com${path}`,
    }));

    const error = await serviceErrorOf(() => load(urls.map(behind), { fetchFile }));

    expect(error.code).toBe('attachment_not_fetched');
    expect(error.errors).toEqual([{ path: 'attachments.2.url', message: 'answered 404' }]);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it('lets them have together what the others leave', async () => {
    const taking =
      (each: number): FileFetcher =>
      async (_url, takeBytes) =>
        takeBytes(each)
          ? { kind: 'fetched', file: { bytes, contentType: undefined, filename: 'a' } }
          : { kind: 'too_large' };
    const three = [behind(), behind(), behind()];

    expect(await load(three, { fetchFile: taking(300) }, 100)).toHaveLength(3);
    const error = await serviceErrorOf(() => load(three, { fetchFile: taking(300) }, 101));

    expect(error.code).toBe('too_large');
    expect(error.errors?.map(({ path }) => path)).toEqual(['attachments.2.url']);
  });

  it('fetches five at a time, and keeps their order', async () => {
    let underWay = 0;
    let most = 0;
    const fetchFile: FileFetcher = async (url) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay -= 1;
      return { kind: 'fetched', file: { bytes, contentType: undefined, filename: url.slice(-2) } };
    };
    const urls = Array.from({ length: 20 }, (_, index) => ({
      url: `https://example.com/${String(index).padStart(2, '0')}`,
    }));

    const loaded = await load(urls.map(behind), { fetchFile });

    expect(loaded.map(({ filename }) => Number(filename))).toEqual([...urls.keys()]);
    expect(most).toBe(5);
  });
});

describe('loadAttachments under leases', () => {
  const slow = () => {
    const refused = new AbortController();
    const ended: string[] = [];
    const slowFetches: SlowFetches = {
      begin: async (id) => ({
        signal: refused.signal,
        end: async () => void ended.push(id),
      }),
    };
    return { refused, ended, slowFetches };
  };
  const limitReached = new ServiceError('slow_fetch_limit_reached');

  it('begins none for files that are inline, uploaded or held', async () => {
    const slowFetches: SlowFetches = { begin: unexpected('begin') };
    const sources = {
      slowFetches,
      isHeld: () => true,
      fetchUpload: async () => ({ bytes, contentType: undefined }),
      fetchFile: serving({}),
    };

    expect(await load([{}, upload, behind()], sources)).toHaveLength(3);
  });

  it('ends what it has begun, with success and failure', async () => {
    const { ended, slowFetches } = slow();

    await load([behind()], { slowFetches, fetchFile: serving({}) });
    await serviceErrorOf(() =>
      load([behind()], {
        slowFetches,
        fetchFile: async () => ({ kind: 'failed', reason: 'is gone' }),
      }),
    );

    expect(ended).toEqual([organizationId, organizationId]);
  });

  it('stops, and says so, when the files are slow and no lease is free', async () => {
    const { refused, ended, slowFetches } = slow();
    const fetchFile: FileFetcher = async (_url, _takeBytes, signal) => {
      refused.abort(limitReached);
      return { kind: 'failed', reason: signal.aborted ? 'did not come in time' : 'went on' };
    };

    const error = await serviceErrorOf(() => load([behind()], { slowFetches, fetchFile }));

    expect(error).toBe(limitReached);
    expect(ended).toEqual([organizationId]);
  });
});

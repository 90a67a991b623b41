import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import {
  fetchUpload,
  issueUploadTicket,
  type UploadTicket,
} from '#shared/attachments/upload-store';
import { openBucket } from '#shared/aws/bucket';
import { newOrganizationId, newUploadId, organizationIdOf } from '#shared/tokens/resource-id';
import { serveUntilEnd } from '../../support/server-until-end.ts';
import { signatureV4 } from '../../support/signature-v4.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const secretKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const settings = {
  bucketUrl: 'https://uploads.s3.eu-west-1.amazonaws.com',
  region: 'eu-west-1',
};

function stubCredentials() {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretKey);
  vi.stubEnv('AWS_SESSION_TOKEN', 'session/token+==');
}

async function startS3(answer: (response: ServerResponse, query: URLSearchParams) => void) {
  stubCredentials();
  const requests: { method?: string; url?: string; authorization?: string }[] = [];
  const server = createServer(({ method, url, headers: { authorization } }, response) => {
    requests.push({
      ...(method && { method }),
      ...(url && { url }),
      ...(authorization && { authorization }),
    });
    answer(response, new URL(url ?? '', 'http://s3').searchParams);
  });
  const { url } = await serveUntilEnd(server);
  return { bucket: openBucket({ ...settings, bucketUrl: `${url}/uploads` }), requests };
}

const uploadId = newUploadId(newOrganizationId(), 5);
const key = `${organizationIdOf(uploadId)}/${uploadId}`;

describe('a ticket', () => {
  it('signs bucket, key, length, type and that nothing is overwritten, for 15 minutes, as S3 computes it', async () => {
    stubCredentials();

    const ticket = await issueUploadTicket(settings, uploadId, 'text/plain', now);

    const url = new URL(ticket.url);
    expect(url.origin + url.pathname).toBe(`https://uploads.s3.eu-west-1.amazonaws.com/${key}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIDEXAMPLE/20260102/eu-west-1/s3/aws4_request',
      'X-Amz-Date': '20260102T030405Z',
      'X-Amz-Expires': '900',
      'X-Amz-Security-Token': 'session/token+==',
      'X-Amz-SignedHeaders': 'content-length;content-type;host;if-none-match',
      'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(ticket).toMatchObject({
      method: 'PUT',
      headers: { 'content-type': 'text/plain', 'content-length': '5', 'if-none-match': '*' },
      expiresAt: now + 900_000,
    });
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureOf(ticket));
  });
});

function signatureOf({ url, method, headers }: UploadTicket): string {
  const { host, pathname, searchParams } = new URL(url);
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const signed = Object.entries({ ...headers, host }).sort();
  return signatureV4({ secretKey, time: '20260102T030405Z', region: 'eu-west-1', service: 's3' }, [
    method,
    pathname,
    query,
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    signed.map(([name]) => name).join(';'),
    'UNSIGNED-PAYLOAD',
  ]);
}

describe('an upload', () => {
  it('is fetched with a signed request, with the type it was uploaded as', async () => {
    const { bucket, requests } = await startS3((response) =>
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': 5 }).end('1,2,3'),
    );

    const uploaded = await fetchUpload(bucket, uploadId);

    expect(uploaded?.contentType).toBe('text/csv');
    expect(Buffer.from(uploaded?.bytes ?? []).toString()).toBe('1,2,3');
    expect(requests).toEqual([
      {
        method: 'GET',
        url: `/uploads/${key}?response-content-encoding=identity`,
        authorization: expect.stringMatching(/^AWS4-HMAC/),
      },
    ]);
  });

  it.each([
    ['is compressed', gzipSync('1,2,3')],
    ['is not, though its uploader says so', Buffer.from('1,2,3')],
  ])('that %s is fetched as the bytes that came', async (_what, file) => {
    // S3 keeps the uploader's Content-Encoding, unless a request asks for another.
    const { bucket } = await startS3((response, query) => {
      const encoding = query.get('response-content-encoding') ?? 'gzip';
      response
        .writeHead(200, { 'content-encoding': encoding, 'content-length': file.length })
        .end(file);
    });

    const uploaded = await fetchUpload(bucket, newUploadId(newOrganizationId(), file.length));

    expect(Buffer.from(uploaded?.bytes ?? [])).toEqual(file);
  });

  it('that could unpack to any size is none', async () => {
    const file = gzipSync('x'.repeat(30_000_000));
    const { bucket } = await startS3((response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-length': file.length })
        .end(file),
    );

    const uploaded = await fetchUpload(bucket, newUploadId(newOrganizationId(), file.length));

    expect(uploaded?.bytes.length).toBeUndefined();
  });

  it.each([
    ['is not there', (response: ServerResponse) => response.writeHead(404).end()],
    [
      'is not there and S3 does not say so',
      (response: ServerResponse) => response.writeHead(403).end(),
    ],
    ['has another size', (response: ServerResponse) => response.writeHead(200).end('123456')],
  ])('that %s is none', async (_what, answer) => {
    const { bucket } = await startS3(answer);

    expect(await fetchUpload(bucket, uploadId)).toBeUndefined();
  });

  it('is not known to be missing when S3 fails', async () => {
    const { bucket } = await startS3((response) => response.writeHead(503).end());

    await expect(fetchUpload(bucket, uploadId)).rejects.toThrow('S3 answered 503');
  });
});

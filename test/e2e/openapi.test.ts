import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { useTwin } from '../support/twin.ts';

const { baseUrl } = await useTwin();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}${path}`, { headers });

describe('GET /openapi.json', () => {
  it('is what the command prints', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['infra/openapi/write.ts'], {
      maxBuffer: 2 ** 24,
    });

    const response = await get('/openapi.json');

    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(JSON.parse(stdout));
  });

  it("isn't sent again to a client that has it", async () => {
    const first = await get('/openapi.json');

    const second = await get('/openapi.json', { 'if-none-match': first.headers.get('etag') ?? '' });

    expect([second.status, await second.text()]).toEqual([304, '']);
  });
});

describe('GET /docs', () => {
  it('is a page that runs only its own script', async () => {
    const response = await get('/docs');

    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+';/,
    );
    expect(await response.text()).toContain('href="/openapi.json"');
  });

  it('has pages below it, each also as Markdown', async () => {
    const [page, markdown] = await Promise.all([
      get('/docs/api/emails'),
      get('/docs/api/emails.md', { 'accept-encoding': 'gzip' }),
    ]);

    expect(page.status).toBe(200);
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await markdown.text()).toMatch(/^# Emails\n/);
  });

  it('is read as it is by a program that asks for no encoding, unless it is very large', async () => {
    const [markdown, index] = await Promise.all([
      get('/docs/api/emails.md', { 'accept-encoding': 'identity' }),
      get('/docs/search.json', { 'accept-encoding': 'identity' }),
    ]);

    expect(markdown.headers.get('content-encoding')).toBeNull();
    expect(await markdown.text()).toMatch(/^# Emails\n/);
    expect(index.status).toBe(406);
    expect(await index.json()).toMatchObject({ code: 'encoding_not_acceptable' });
  });

  it('returns no page for an unknown path', async () => {
    const response = await get('/docs/nothing');

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'endpoint_not_found' });
  });
});

it('GET /llms.txt lists only existing pages', async () => {
  const response = await get('/llms.txt');
  const text = await response.text();

  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(20);
  const statuses = await Promise.all(links.map(async (link) => (await get(link)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

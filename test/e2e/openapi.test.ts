import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startLocalStack } from '../../infra/local/stack.ts';
import { ownDatabase } from '../support/own-database.ts';

const stack = await startLocalStack({
  quiet: true,
  providerEvents: false,
  env: ownDatabase().environment,
});
afterAll(stack.stop);

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${stack.description.baseUrl}${path}`, { headers });

describe('GET /openapi.json', () => {
  it('is what the command prints', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['infra/openapi/write.ts'], {
      maxBuffer: 2 ** 24,
    });

    const response = await get('/openapi.json');

    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(JSON.parse(stdout));
  });

  it('is not sent again to who has it', async () => {
    const first = await get('/openapi.json');

    const second = await get('/openapi.json', { 'if-none-match': first.headers.get('etag') ?? '' });

    expect([second.status, await second.text()]).toEqual([304, '']);
  });
});

describe('GET /docs', () => {
  it('is a page that may run no script', async () => {
    const response = await get('/docs');

    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(await response.text()).toContain('href="/openapi.json"');
  });
});

import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressFile } from '#shared/endpoints/built-file';
import { ServiceError } from '#shared/errors/service-error';
import {
  type DocsFiles,
  docsFilesSchema,
  renderNoPage,
  showDocs,
} from '../../../functions/show-docs/show-docs.ts';

const built: DocsFiles = {
  styleHash: 'sha256-style',
  scriptHash: 'sha256-script',
  noPage: '<!doctype html>no such page',
  files: {
    '': { type: 'page', ...compressFile('<!doctype html>home') },
    'api/emails': { type: 'page', ...compressFile('<!doctype html>emails') },
    'api/emails.md': { type: 'markdown', ...compressFile('# Emails') },
    'search.json': { type: 'index', ...compressFile('[]') },
  },
};
const docs = docsFilesSchema.parse(built);
const show = (page?: string, headers = {}) =>
  showDocs({ path: page === undefined ? {} : { page }, headers }, docs);

describe('the documents', () => {
  it.each([
    [undefined, 'text/html; charset=utf-8', '<!doctype html>home'],
    ['api/emails', 'text/html; charset=utf-8', '<!doctype html>emails'],
    ['api/emails.md', 'text/markdown; charset=utf-8', '# Emails'],
    ['search.json', 'application/json', '[]'],
  ])('are returned by name: %s', (page, type, text) => {
    const { statusCode, headers, body } = show(page);

    expect([statusCode, body]).toEqual([200, text]);
    expect(headers).toMatchObject({
      'Content-Type': type,
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  it('run only their own script, and call only this service', () => {
    const policy = show().headers?.['Content-Security-Policy'];

    expect(policy).toBe(
      "default-src 'none'; script-src 'sha256-script'; style-src 'sha256-style'; connect-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(show('api/emails.md').headers).not.toHaveProperty('Content-Security-Policy');
  });

  it('are compressed, and not sent again to a browser that has them', () => {
    const first = show('api/emails', { 'accept-encoding': 'gzip' });

    const second = show('api/emails', { 'if-none-match': first.headers?.['ETag'] });

    expect(`${gunzipSync(Buffer.from(first.body, 'base64'))}`).toBe('<!doctype html>emails');
    expect(second).toMatchObject({ statusCode: 304, body: '' });
  });

  it.each(['nothing', 'api', '', '../docs', 'constructor', '__proto__'])(
    'have no page %j',
    (page) => {
      if (page === '') return expect(show(page).statusCode).toBe(200);
      expect(() => show(page)).toThrow(expect.objectContaining({ code: 'endpoint_not_found' }));
    },
  );

  it('return a page to a browser where there is none, and a problem to a program', () => {
    const render = renderNoPage(() => docs);
    const error = new ServiceError('endpoint_not_found');

    const page = render(error, { headers: { accept: 'text/html,*/*;q=0.8' }, requestId: '1' });
    const problem = render(error, { headers: { accept: '*/*' }, requestId: '1' });

    expect(page).toMatchObject({
      statusCode: 404,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': show().headers?.['Content-Security-Policy'],
      },
      body: '<!doctype html>no such page',
    });
    expect(problem.headers?.['Content-Type']).toBe('application/problem+json');
  });
});

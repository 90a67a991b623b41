import { describe, expect, it } from 'vitest';
import { isDescribed, type SeenAnswer, undescribedIn } from './described-answers.ts';

const sent = {
  sendId: `snd_${'a'.repeat(56)}`,
  status: 'sent',
  messageId: '1',
  reused: false,
};

const answer = (overrides: Partial<SeenAnswer> & { readonly json?: unknown } = {}): SeenAnswer => ({
  method: 'POST',
  path: '/api/v1/emails/send',
  status: 200,
  headers: new Headers({ 'content-type': 'application/json', 'x-request-id': '1' }),
  body: JSON.stringify(overrides.json ?? sent),
  ...overrides,
});

describe('the check of answers', () => {
  it('finds nothing in an answer that is described', async () => {
    expect(await undescribedIn(answer())).toEqual([]);
  });

  it.each([
    ['a status', answer({ status: 418 })],
    ['a body', answer({ json: { ...sent, status: 'lost' } })],
    ['a body without a field', answer({ json: { status: 'sent' } })],
    ['a media type', answer({ headers: new Headers({ 'content-type': 'text/plain' }) })],
    [
      'a header',
      answer({ headers: new Headers({ 'content-type': 'application/json', etag: '"1"' }) }),
    ],
    [
      'an error code of another endpoint',
      answer({
        status: 404,
        headers: new Headers({ 'content-type': 'application/problem+json' }),
        json: {
          ...{ type: 'urn:problem:link_not_found', title: 'Link not found', status: 404 },
          ...{ detail: 'x', instance: 'x', code: 'link_not_found', requestId: 'x' },
        },
      }),
    ],
  ])('tells of %s that is not described', async (_what, undescribed) => {
    expect(await undescribedIn(undescribed)).not.toEqual([]);
  });

  it('is for the paths of the route table', () => {
    expect(isDescribed('GET', '/api/v1/templates/tpl_1')).toBe(true);
    expect(isDescribed('DELETE', '/api/v1/emails/send')).toBe(false);
    expect(isDescribed('GET', '/hooks')).toBe(false);
  });
});

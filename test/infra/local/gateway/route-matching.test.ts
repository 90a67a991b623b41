import { describe, expect, it } from 'vitest';
import {
  createRouteMatcher,
  type FunctionRoute,
} from '../../../../infra/local/gateway/route-matching.ts';

const route = (path: string, method: FunctionRoute['method'] = 'GET'): FunctionRoute => ({
  method,
  path,
  functionName: `${method} ${path}`,
});

describe('route matching', () => {
  it('prefers a fixed segment to a parameter, and a parameter to a greedy one, in any order', () => {
    const find = createRouteMatcher([
      route('/sends/{rest+}'),
      route('/sends/{id}'),
      route('/sends/recent'),
      route('/sends/{id}/events'),
    ]);

    const paths = ['/sends/recent', '/sends/s1', '/sends/s1/events', '/sends/s1/other'];
    const found = paths.map((path) => find('GET', path)?.routeKey);

    expect(found).toEqual([
      'GET /sends/recent',
      'GET /sends/{id}',
      'GET /sends/{id}/events',
      'GET /sends/{rest+}',
    ]);
  });

  it('gives path parameters URL-decoded', () => {
    const find = createRouteMatcher([route('/suppressions/{email}'), route('/files/{path+}')]);

    expect(find('GET', '/suppressions/ann%2Bnews%40example.com')?.pathParameters).toEqual({
      email: 'ann+news@example.com',
    });
    expect(find('GET', '/files/a%20b/c')?.pathParameters).toEqual({ path: 'a b/c' });
  });

  it('lets an encoded slash stay inside its parameter', () => {
    const find = createRouteMatcher([route('/sends/{id}')]);

    expect(find('GET', '/sends/a%2Fb')?.pathParameters).toEqual({ id: 'a/b' });
  });

  it.each([
    ['a trailing slash', 'GET', '/sends/s1/'],
    ['an empty parameter', 'GET', '/sends/'],
    ['a longer path', 'GET', '/sends/s1/more'],
    ['a shorter path', 'GET', '/sends'],
    ['another case', 'GET', '/Sends/s1'],
    ['another method', 'POST', '/sends/s1'],
    ['HEAD, which HTTP API does not take for GET', 'HEAD', '/sends/s1'],
  ])('finds nothing for %s', (_, method, path) => {
    const find = createRouteMatcher([route('/sends/{id}')]);

    expect(find(method, path)).toBeUndefined();
  });
});

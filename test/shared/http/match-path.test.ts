import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchPath } from '#shared/http/match-path';

const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());

describe('matchPath', () => {
  it('finds the parameters again that a path was made of, URL-decoded', () => {
    fc.assert(
      fc.property(segment, segment, (id, name) => {
        const path = `/sends/${encodeURIComponent(id)}/files/${encodeURIComponent(name)}`;

        expect(matchPath('/sends/{id}/files/{name}', path)).toEqual({ id, name });
      }),
    );
  });

  it.each([
    ['/sends/{id}', '/sends/'],
    ['/sends/{id}', '/sends/a/'],
    ['/sends/{id}', '/sends/a/b'],
    ['/sends/{id}', '/sends'],
    ['/sends', '/sends/'],
    ['/sends', '/Sends'],
    ['/sends', 'sends'],
  ])('does not take %s for %s', (template, path) => {
    expect(matchPath(template, path)).toBeUndefined();
  });

  it('takes the rest of a path for a greedy parameter', () => {
    expect(matchPath('/files/{path+}', '/files/a%20b/c')).toEqual({ path: 'a b/c' });
  });

  it('takes a percent sign as it is that encodes nothing', () => {
    expect(matchPath('/sends/{id}', '/sends/100%')).toEqual({ id: '100%' });
  });
});

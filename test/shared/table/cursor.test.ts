import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorScope, newCursorSecret, sealCursor, unsealCursor } from '#shared/table/cursor';
import { sortableTime } from '#shared/table/keys';
import { listPositionOf } from '#shared/table/list-position';
import { newOrganizationId, newTemplateId, templateIdSchema } from '#shared/tokens/resource-id';
import { serviceErrorOf } from '../../support/service-error.ts';

const positionSchema = listPositionOf(templateIdSchema).brand<'Position'>();
const owner = { id: newOrganizationId(), secret: newCursorSecret() };
const newPosition = (at: number) => `${sortableTime(at)}#${newTemplateId(newOrganizationId())}`;

const positions = fc.integer({ min: 0, max: 4_102_444_800_000 }).map(newPosition);
const filters = fc.dictionary(
  fc.string(),
  fc.option(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { nil: undefined }),
);
const scopes: fc.Arbitrary<CursorScope> = fc.record({
  list: fc.string(),
  owner: fc.record({ id: fc.string(), secret: fc.string({ minLength: 32 }) }),
  filters,
});

const seal = (position: string, scope: CursorScope): string => sealCursor(position, scope) ?? '';
const open = (cursor: string | undefined, scope: CursorScope) =>
  unsealCursor(cursor, positionSchema, scope);
const opens = (cursor: string, scope: CursorScope): boolean => {
  try {
    return open(cursor, scope) !== undefined;
  } catch {
    return false;
  }
};
/** As the same request asks them, whatever their order, and whether one that is absent is named. */
const sameFilters = (one: CursorScope, other: CursorScope): boolean => {
  const textOf = ({ filters: asked = {} }: CursorScope) =>
    JSON.stringify(
      Object.keys(asked)
        .toSorted()
        .flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])),
    );
  return textOf(one) === textOf(other);
};

describe('a cursor', () => {
  it('stands for its position, and is safe in a URL and on a command line', () => {
    fc.assert(
      fc.property(positions, scopes, (position, scope) => {
        const cursor = seal(position, scope);

        expect(open(cursor, scope)).toBe(position);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(cursor).toMatch(/^[A-Za-z0-9]/);
      }),
    );
  });

  it('opens whatever the order of the filters, and whether an absent one is named', () => {
    fc.assert(
      fc.property(positions, scopes, fc.string(), (position, scope, name) => {
        const asked = Object.entries(scope.filters ?? {}).toReversed();
        // First, so that it is in the way of no filter that is asked by that name.
        const reversed = Object.fromEntries([[name, undefined], ...asked]);

        expect(open(seal(position, scope), { ...scope, filters: reversed })).toBe(position);
      }),
    );
  });

  it('opens for no other list, owner, secret or filters', () => {
    fc.assert(
      fc.property(positions, scopes, scopes, (position, scope, other) => {
        const cursor = seal(position, scope);

        for (const part of ['list', 'filters'] as const) {
          const mixed = { ...scope, [part]: other[part] };
          const isSame = part === 'list' ? mixed.list === scope.list : sameFilters(mixed, scope);
          expect(opens(cursor, mixed)).toBe(isSame);
        }
        for (const part of ['id', 'secret'] as const) {
          const mixed = { ...scope.owner, [part]: other.owner[part] };
          expect(opens(cursor, { ...scope, owner: mixed })).toBe(mixed[part] === scope.owner[part]);
        }
      }),
    );
  });

  it('changed in any one character opens no more', () => {
    const scope = { list: 'templates', owner };
    const cursor = seal(newPosition(1_700_000_000_000), scope);

    for (const [index, character] of [...cursor].entries()) {
      const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=';
      for (const other of others.replace(character, '')) {
        const changed = `${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`;
        expect(opens(changed, scope), changed).toBe(false);
      }
    }
  });

  it.each([
    ['nothing', () => ''],
    ['nonsense', () => 'nonsense'],
    ['thousands of characters', () => 'a'.repeat(4_000)],
    ['a NUL', () => '\0'],
    ['a position in the clear', () => newPosition(1)],
    ['a position without a MAC', () => Buffer.from(newPosition(1)).toString('base64url')],
    ['padding after it', () => `${seal(newPosition(1), { list: 'l', owner })}=`],
    ['the position of something else', () => seal('000000000000001#whk_1', { list: 'l', owner })],
  ])('is refused with %s, and the caller is told what to do', async (_what, cursorOf) => {
    const error = await serviceErrorOf(async () => open(cursorOf(), { list: 'l', owner }));

    expect(error).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'cursor', message: expect.stringContaining('send nextCursor') }],
    });
  });

  it('that is not there opens the list at its newest, and the end of a list has none', () => {
    expect(open(undefined, { list: 'l', owner })).toBeUndefined();
    expect(sealCursor(undefined, { list: 'l', owner })).toBeNull();
  });
});

describe('a cursor secret', () => {
  it('is another each time', () => {
    expect(new Set(Array.from({ length: 100 }, newCursorSecret)).size).toBe(100);
  });
});

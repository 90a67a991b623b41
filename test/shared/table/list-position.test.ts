import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { sortableTime } from '#shared/table/keys';
import {
  cursorOf,
  idAt,
  listPositionOf,
  nextCursorOf,
  pageQueryFields,
  pageSchema,
  timeAt,
  toCursor,
} from '#shared/table/list-position';
import { newOrganizationId, newTemplateId, templateIdSchema } from '#shared/tokens/resource-id';

const id = newTemplateId(newOrganizationId());
const position = `${sortableTime(1_700_000_000_123)}#${id}`;
const positionSchema = listPositionOf(templateIdSchema);

describe('a position in a list', () => {
  it('tells its time and its id', () => {
    expect(positionSchema.parse(position)).toBe(position);
    expect([timeAt(position), idAt(position)]).toEqual([1_700_000_000_123, id]);
  });

  it.each([
    '',
    id,
    `1700000000123#${id}`,
    `${sortableTime(1)}#whk_1`,
    `${position}x`,
    ` ${position}`,
  ])('is not "%s"', (text) => {
    expect(positionSchema.safeParse(text).success).toBe(false);
  });
});

describe('a cursor', () => {
  it('stands for its position, and is safe in a URL', () => {
    const cursor = toCursor(position);

    expect(cursorOf(positionSchema).parse(cursor)).toBe(position);
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it.each(['', 'nonsense', position, toCursor('nonsense')])('is not "%s"', (cursor) => {
    const { error } = cursorOf(positionSchema).safeParse(cursor);

    expect(error?.issues).toMatchObject([{ message: expect.stringContaining('is no cursor') }]);
  });
});

describe('the query of a page', () => {
  const querySchema = z.object(pageQueryFields(positionSchema));

  it('asks for 20 entries from the newest on, unless told otherwise', () => {
    expect(querySchema.parse({})).toEqual({ limit: 20 });
  });

  it('takes a limit and a cursor', () => {
    const query = querySchema.parse({ limit: '100', cursor: toCursor(position) });

    expect(query).toEqual({ limit: 100, cursor: position });
  });

  it.each(['0', '101', '1.5', '-1', 'many'])('takes no limit of %s', (limit) => {
    expect(querySchema.safeParse({ limit }).success).toBe(false);
  });
});

describe('a page', () => {
  it('names the cursor of the next one, or null at the end', () => {
    const schema = pageSchema(z.string());

    const pages = [position, undefined].map((next) =>
      schema.parse({ data: ['a'], nextCursor: nextCursorOf(next) }),
    );

    expect(pages).toEqual([
      { data: ['a'], nextCursor: toCursor(position) },
      { data: ['a'], nextCursor: null },
    ]);
  });
});

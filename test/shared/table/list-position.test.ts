import { describe, expect, it } from 'vitest';
import { sortableTime } from '#shared/table/keys';
import { cursorOf, idAt, listPositionOf, timeAt, toCursor } from '#shared/table/list-position';
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

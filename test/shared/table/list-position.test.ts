import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { sortableTime } from '#shared/table/keys';
import { idAt, listPositionOf, pageQueryFields, timeAt } from '#shared/table/list-position';
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

describe('the query of a page', () => {
  const querySchema = z.object(pageQueryFields);

  it('asks for 20 entries from the newest on, unless told otherwise', () => {
    expect(querySchema.parse({})).toEqual({ limit: 20 });
  });

  it('takes a limit and a cursor', () => {
    expect(querySchema.parse({ limit: '100', cursor: 'c' })).toEqual({ limit: 100, cursor: 'c' });
  });

  it.each(['', '0', '101', '1.5', '-1', 'many'])('takes no limit of %j', (limit) => {
    expect(querySchema.safeParse({ limit }).success).toBe(false);
  });
});

import type * as z from 'zod/mini';
import { cursorOf, listPositionOf } from '#shared/table/list-position';
import { templateIdSchema } from '#shared/tokens/resource-id';

/** Where a template stands in its organization's list. */
export const templatePositionSchema = listPositionOf(templateIdSchema).brand<'TemplatePosition'>();
export type TemplatePosition = z.infer<typeof templatePositionSchema>;

/** A cursor in a request. */
export const cursorSchema = cursorOf(templatePositionSchema);

import { type Key, templateBodyKey, templateKey, templateListIndexKey } from '#shared/table/keys';
import { readItem } from '#shared/table/read-item';
import type { StoredItem } from '#shared/table/table-client';
import type { TemplateId } from '#shared/tokens/resource-id';
import { type Template, templateSchema } from './template.ts';

/** The keys of a template's three items: itself without bodies, its HTML, its text. */
export const templateKeysOf = (id: TemplateId): readonly [Key, Key, Key] => [
  templateKey(id),
  templateBodyKey(id, 'htmlContent'),
  templateBodyKey(id, 'content'),
];

/** A template's three items. A missing body is an item without one. */
export function templateItemsOf(template: Template): readonly StoredItem[] {
  const { htmlContent, content, ...rest } = template;
  const { id, version, createdAt } = template;
  const [key, htmlKey, textKey] = templateKeysOf(id);
  return [
    { ...key, ...templateListIndexKey(id, createdAt), ...rest },
    { ...htmlKey, version, htmlContent },
    { ...textKey, version, content },
  ];
}

export type TemplateReading =
  | { readonly kind: 'whole'; readonly template: Template | undefined }
  /** Its items are of different versions: they were read while being written. */
  | { readonly kind: 'torn' };

/** Assembles a template from its items, which are written at one moment but not read at one. */
export function readingOf(
  id: TemplateId,
  itemOf: (key: Key) => StoredItem | undefined,
): TemplateReading {
  const items = templateKeysOf(id).map(itemOf);
  const versions = new Set(items.map((item) => item?.['version']));
  if (versions.size > 1) return { kind: 'torn' };
  const isThere = !versions.has(undefined);
  return {
    kind: 'whole',
    template: isThere
      ? readItem('template', templateSchema, Object.assign({}, ...items))
      : undefined,
  };
}

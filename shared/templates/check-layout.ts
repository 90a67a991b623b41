import type { FieldError } from '#shared/errors/service-error';
import { slotFault } from './rendering/template-tags.ts';
import type { Template } from './template.ts';

const onlyOfTemplates = ['from', 'replyTo', 'variables', 'layout'] as const;

/** What a layout may not have, or lacks. */
export function layoutFaults(layout: Template): readonly FieldError[] {
  const { htmlContent, content, locales = {} } = layout;
  const bodies = [
    { path: '', words: { htmlContent, content } },
    ...Object.entries(locales).map(([locale, words]) => ({ path: `locales.${locale}.`, words })),
  ];
  return [
    ...onlyOfTemplates
      .filter((field) => layout[field] !== undefined)
      .map((path) => ({ path, message: 'belongs to the templates, not to their layout' })),
    ...bodies.flatMap(({ path, words }) =>
      (['htmlContent', 'content'] as const).flatMap((part) => {
        const message = slotFault(words[part]);
        return message === undefined ? [] : [{ path: `${path}${part}`, message }];
      }),
    ),
  ];
}

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { openReader, type Path, remember } from './expression-reader.ts';
import type { Placeholders } from './placeholders.ts';
import { refuse } from './refusals.ts';

type Item = Readonly<Record<string, AttributeValue>>;

/** @throws DynamoDBServiceException when the text is no list of paths. */
export const parseProjection = remember((text: string) => {
  const reader = openReader(text);
  const paths = reader.list(() => reader.path());
  if (!reader.isDone()) refuse(`Syntax error; token: "${reader.take()}", near: "${text}"`);
  return { paths, mentions: reader.mentions };
});

/** Of an item, what a projection expression names: only whole attributes. */
export function openProjection(paths: readonly Path[], { pathOf }: Placeholders) {
  const names = paths.map((path) => {
    const [name, ...deeper] = pathOf(path);
    if (deeper.length > 0) throw new Error('The memory table projects whole attributes');
    return `${name}`;
  });
  if (new Set(names).size < names.length) refuse('Two document paths overlap with each other');
  return (item: Item): Record<string, AttributeValue> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = item[name];
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
}

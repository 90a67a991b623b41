import type { Input, Route } from '../../../api.ts';
import { addressOf, type Parts } from './request-address.ts';

export type Made = { readonly route: Route; readonly parts: Parts };

/** What the parts of the page that are shown have asked. */
const shown = new Set<Made>();

/** @returns forgets it, once its part of the page is gone. */
export function noteCall<R extends Route>(route: R, input: Input<R>): () => void {
  const made: Made = { route, parts: input };
  shown.add(made);
  return () => shown.delete(made);
}

/** Each once. The console's own requests aren't for programs. */
export const callsMade = (): readonly Made[] =>
  [...new Map([...shown].map((made) => [urlOf(made, ''), made])).values()].filter(({ route }) =>
    /^GET \/api\//.test(route),
  );

const urlOf = ({ route, parts }: Made, origin: string): string =>
  `${origin}${addressOf(route.replace(/^\w+ /, ''), parts)}`;

/** The same request from a shell. */
export const asCurl = (made: Made, origin: string): string =>
  `curl '${urlOf(made, origin).replaceAll("'", '%27')}' \\\n  -H "Authorization: Bearer $EMAIL_API_KEY"`;

/** The same request from a program. */
export const asScript = (made: Made, origin: string): string =>
  `const response = await fetch(${JSON.stringify(urlOf(made, origin))}, {
  headers: { Authorization: \`Bearer \${process.env.EMAIL_API_KEY}\` },
});
const answer = await response.json();`;

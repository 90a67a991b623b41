/**
 * `infra/built-files/build-console.ts` fills these in from `package.json`, `CHANGELOG.md`, the endpoints and
 * `shared/access/sign-in.ts`.
 */
declare const VERSION: string;
declare const CHANGELOG: string;
/** Of these scopes, a request needs one. Any session may make the requests that aren't listed. */
declare const SCOPES: Readonly<
  Record<string, readonly import('#shared/access/scopes').Scope[] | undefined>
>;
/** How long a link signs in. */
declare const LINK_MINUTES: number;
/** How long a session may do what outlasts it, from a sign-in or from showing the key. */
declare const PROOF_MINUTES: number;
/** Addresses of the style sheet and the first script: `start.ts` loads them. */
declare const STYLE: string;
declare const SCRIPT: string;

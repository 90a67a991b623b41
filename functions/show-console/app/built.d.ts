/** `infra/built-files/build-console.ts` fills these in from `package.json` and `CHANGELOG.md`. */
declare const VERSION: string;
declare const CHANGELOG: string;
/** Addresses of the style sheet and the first script: `start.ts` loads them. */
declare const STYLE: string;
declare const SCRIPT: string;

/** `infra/built-files/build-console.ts` fills these in from `package.json` and `CHANGELOG.md`. */
declare const VERSION: string;
declare const CHANGELOG: string;

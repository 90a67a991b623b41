import { late } from './late.ts';

export const loadPages = () => late('pages', async () => (await import('./pages.ts')).pages);

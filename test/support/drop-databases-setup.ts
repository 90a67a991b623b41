import { afterAll } from 'vitest';
import { dropDatabases } from './own-database.ts';

// Hooks of a setup file come last: whatever works on the tables has stopped.
afterAll(dropDatabases);

import { runManage } from './program.ts';
import { processSurroundings } from './surroundings.ts';

process.exitCode = await runManage(process.argv.slice(2), processSurroundings());

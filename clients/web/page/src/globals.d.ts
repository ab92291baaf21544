// Constants that the build defines (see build.mjs): names of files with a hash of their content, relative to the
// scripts.
declare const ENGINE_FILE: string;
declare const WORKBOOK_FILE: string;
declare const WORKER_FILE: string;
declare const EXAMPLES_FILE: string;

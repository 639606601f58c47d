// Runs before every test file in the small dose (vitest.config.ts): leaves out the tests that whole-dose.ts names. It must never be part of the
// whole dose, where nothing is left out.
import { leaveOutOfSmallDose } from "./whole-dose.ts";

leaveOutOfSmallDose();

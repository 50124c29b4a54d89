/* detcheck._native.core: the machine as a Python type, by the limited API. Only detcheck.engine calls it. */
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>
#include <time.h>

#include "machine.h"

#ifndef DC_BUILD_FLAGS
#define DC_BUILD_FLAGS "not recorded"
#endif

#define DC_STRING_2(x) #x
#define DC_STRING(x) DC_STRING_2(x)

#if defined(__clang__)
#define DC_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define DC_COMPILER "gcc " __VERSION__
#elif defined(_MSC_VER)
#define DC_COMPILER "msvc " DC_STRING(_MSC_FULL_VER)
#else
#define DC_COMPILER "unknown"
#endif

/* How often a running span asks Python whether to stop: well within the tenth of a second Ctrl-C may take. */
#define DC_ASK_NANOSECONDS 20000000

typedef struct {
    PyObject_HEAD
    struct dc_machine *machine;
    int running; /* one thread at a time */
    int spent;   /* stopped or trapped: the state is of no tick */
} MachineObject;

struct dc_asker {
    PyObject *stop; /* a callable, or NULL */
    PyThreadState *thread;
    int64_t asked;
    int raised;
};

static int64_t dc_now(void)
{
    struct timespec now;
    if (timespec_get(&now, TIME_UTC) == 0)
        return 0;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int dc_ask(void *context)
{
    struct dc_asker *asker = context;
    const int64_t now = dc_now(), past = now - asker->asked;
    if (past >= 0 && past < DC_ASK_NANOSECONDS)
        return 0;
    asker->asked = now;
    PyEval_RestoreThread(asker->thread);
    int stop = PyErr_CheckSignals() != 0;
    if (!stop && asker->stop != NULL) {
        PyObject *answer = PyObject_CallNoArgs(asker->stop);
        stop = answer == NULL ? -1 : PyObject_IsTrue(answer);
        Py_XDECREF(answer);
    }
    if (PyErr_Occurred())
        asker->raised = 1;
    asker->thread = PyEval_SaveThread();
    return stop != 0;
}

static PyObject *machine_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    Py_buffer views[6];
    const char *loops_name = NULL, *why = NULL;
    if (keywords != NULL && PyDict_Size(keywords) != 0) {
        PyErr_SetString(PyExc_TypeError, "Machine takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*s", &views[0], &views[1], &views[2], &views[3], &views[4], &views[5],
                          &loops_name))
        return NULL;
    const struct dc_loops *loops = &dc_loops_baseline;
    if (strcmp(loops_name, "avx2") == 0 && dc_avx2_usable())
        loops = &dc_loops_avx2;
    else if (strcmp(loops_name, "baseline") != 0)
        why = "there are no such loops here";
    const int32_t *arrays[5];
    size_t counts[5];
    for (int k = 0; k < 5; k++) {
        arrays[k] = views[k + 1].buf;
        counts[k] = (size_t)views[k + 1].len / sizeof(int32_t);
    }
    struct dc_machine *machine = NULL;
    if (why == NULL)
        machine = dc_machine_new(views[0].buf, (size_t)views[0].len / sizeof(int32_t), arrays, counts, loops, &why);
    for (int k = 0; k < 6; k++)
        PyBuffer_Release(&views[k]);
    if (machine == NULL) {
        if (strcmp(why, "memory") == 0)
            return PyErr_NoMemory();
        PyErr_SetString(PyExc_ValueError, why);
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    MachineObject *self = (MachineObject *)allocate(type, 0);
    if (self == NULL)
        dc_machine_free(machine);
    else
        self->machine = machine;
    return (PyObject *)self;
}

static void machine_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    dc_machine_free(((MachineObject *)object)->machine);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static int machine_buffer(PyObject *object, Py_buffer *view, int flags)
{
    struct dc_machine *machine = ((MachineObject *)object)->machine;
    return PyBuffer_FillInfo(view, object, machine->memory, (Py_ssize_t)machine->bytes, 0, flags);
}

/* Runs setup (ticks < 0) or ticks with the interpreter released. Gives 0 done, 1 trapped, 2 stopped. */
static PyObject *machine_go(MachineObject *self, int32_t ticks, PyObject *stop)
{
    if (self->running || self->spent) {
        PyErr_SetString(PyExc_RuntimeError, self->running ? "the machine is running" : "the machine stopped for good");
        return NULL;
    }
    struct dc_machine *machine = self->machine;
    struct dc_asker asker = {.stop = stop == Py_None ? NULL : stop, .asked = dc_now()};
    self->running = 1;
    machine->poll = dc_ask;
    machine->poll_context = &asker;
    asker.thread = PyEval_SaveThread();
    const enum dc_result result = ticks < 0 ? dc_machine_setup(machine) : dc_machine_run(machine, ticks);
    PyEval_RestoreThread(asker.thread);
    machine->poll = NULL;
    self->running = 0;
    self->spent = result != DC_DONE;
    if (asker.raised)
        return NULL;
    return PyLong_FromLong((long)result);
}

static PyObject *machine_setup(PyObject *object, PyObject *stop)
{
    return machine_go((MachineObject *)object, -1, stop);
}

static PyObject *machine_run(PyObject *object, PyObject *args)
{
    int ticks;
    PyObject *stop;
    if (!PyArg_ParseTuple(args, "iO", &ticks, &stop))
        return NULL;
    struct dc_machine *machine = ((MachineObject *)object)->machine;
    if (ticks < 0 || ticks > INT32_MAX - machine->tick) {
        PyErr_SetString(PyExc_ValueError, "ticks are out of range");
        return NULL;
    }
    return machine_go((MachineObject *)object, ticks, stop);
}

static PyObject *machine_trap(PyObject *object, PyObject *ignored)
{
    const struct dc_trap *trap = &((MachineObject *)object)->machine->trap;
    (void)ignored;
    return Py_BuildValue("(kkkkkk)", (unsigned long)trap->program, (unsigned long)trap->id, (unsigned long)trap->row,
                         (unsigned long)trap->operands[0], (unsigned long)trap->operands[1],
                         (unsigned long)trap->operands[2]);
}

static PyObject *machine_tick(PyObject *object, void *ignored)
{
    (void)ignored;
    return PyLong_FromLong(((MachineObject *)object)->machine->tick);
}

static PyObject *machine_draws(PyObject *object, void *ignored)
{
    (void)ignored;
    return PyLong_FromUnsignedLongLong(((MachineObject *)object)->machine->draws);
}

static PyMethodDef machine_methods[] = {
    {"setup", machine_setup, METH_O, "setup(stop) -> 0 done, 1 trapped, 2 stopped"},
    {"run", machine_run, METH_VARARGS, "run(ticks, stop) -> 0 done, 1 trapped, 2 stopped"},
    {"trap", machine_trap, METH_NOARGS, "trap() -> (program, op id, row, three operand cells)"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef machine_values[] = {
    {"tick", machine_tick, NULL, "completed ticks", NULL},
    {"draws", machine_draws, NULL, "words taken from the generator", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot machine_slots[] = {
    {Py_tp_new, machine_new},         {Py_tp_dealloc, machine_dealloc}, {Py_tp_methods, machine_methods},
    {Py_tp_getset, machine_values},   {Py_bf_getbuffer, machine_buffer},
    {Py_tp_doc, "Machine(header, programs, segments, items, steps, events, loops): see native_plan.py"},
    {0, NULL},
};

static PyType_Spec machine_spec = {
    .name = "detcheck._native.core.Machine",
    .basicsize = sizeof(MachineObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = machine_slots,
};

static const struct dc_loops *dc_named_loops(const char *name)
{
    if (strcmp(name, "baseline") == 0)
        return &dc_loops_baseline;
    if (strcmp(name, "avx2") == 0 && dc_avx2_usable())
        return &dc_loops_avx2;
    PyErr_SetString(PyExc_ValueError, "there are no such loops here");
    return NULL;
}

static PyObject *core_canary(PyObject *module, PyObject *args)
{
    const char *name;
    uint64_t values[DC_CANARY_VALUES] = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    const struct dc_loops *loops = dc_named_loops(name);
    if (loops == NULL)
        return NULL;
    const uint32_t count = loops->canary(values);
    PyObject *result = PyTuple_New((Py_ssize_t)count);
    for (uint32_t k = 0; result != NULL && k < count; k++) {
        PyObject *value = PyLong_FromUnsignedLongLong(values[k]);
        if (value == NULL || PyTuple_SetItem(result, (Py_ssize_t)k, value) != 0)
            Py_CLEAR(result);
    }
    return result;
}

/* Newlines in LANES bytes at a time: each lane has a count of its own that cannot wrap, so that the loop vectorises. */
enum { LANES = 64, ROWS = 255 };

static size_t newlines_in(const unsigned char *bytes, size_t size)
{
    size_t found = 0, at = 0;
    while (size - at >= LANES) {
        uint8_t lanes[LANES] = {0};
        for (size_t row = 0; row < ROWS && size - at >= LANES; row++, at += LANES)
            for (size_t k = 0; k < LANES; k++)
                lanes[k] = (uint8_t)(lanes[k] + (bytes[at + k] == '\n'));
        for (size_t k = 0; k < LANES; k++)
            found += lanes[k];
    }
    for (; at < size; at++)
        found += bytes[at] == '\n';
    return found;
}

static PyObject *core_newlines(PyObject *module, PyObject *data)
{
    Py_buffer view;
    (void)module;
    if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    const size_t found = newlines_in(view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return PyLong_FromSize_t(found);
}

static PyMethodDef core_methods[] = {
    {"newlines", core_newlines, METH_O, "newlines(bytes) -> how many of them are a newline; for large dumps"},
    {"canary", core_canary, METH_VARARGS, "canary(loops) -> the canaries' values, as this build computes them"},
    {NULL, NULL, 0, NULL},
};

static int add_op_names(PyObject *module)
{
#define DC_NAME(id, name) name,
    static const char *const names[] = {DC_ALL_OPS(DC_NAME)};
#undef DC_NAME
    PyObject *list = PyTuple_New((Py_ssize_t)DC_OPS);
    for (Py_ssize_t k = 0; list != NULL && k < (Py_ssize_t)DC_OPS; k++) {
        PyObject *name = PyUnicode_FromString(names[k]);
        if (name == NULL || PyTuple_SetItem(list, k, name) != 0)
            Py_CLEAR(list);
    }
    const int failed = list == NULL || PyModule_AddObjectRef(module, "OPS", list) != 0;
    Py_XDECREF(list);
    return failed ? -1 : 0;
}

static int core_exec(PyObject *module)
{
    const uint32_t order = 1;
    if (*(const unsigned char *)&order != 1) {
        PyErr_SetString(PyExc_ImportError, "the native executor needs a little-endian machine");
        return -1;
    }
    PyObject *type = PyType_FromModuleAndSpec(module, &machine_spec, NULL);
    const int failed = type == NULL || PyModule_AddObjectRef(module, "Machine", type) != 0;
    Py_XDECREF(type);
    if (failed || add_op_names(module) != 0 || PyModule_AddIntConstant(module, "BLOCK", (long)DC_BLOCK) != 0)
        return -1;
    if (PyModule_AddStringConstant(module, "COMPILER", DC_COMPILER) != 0 ||
        PyModule_AddStringConstant(module, "FLAGS", DC_BUILD_FLAGS) != 0)
        return -1;
    return PyModule_AddStringConstant(module, "LOOPS", dc_avx2_usable() ? "avx2 baseline" : "baseline");
}

static PyModuleDef_Slot core_slots[] = {{Py_mod_exec, core_exec}, {0, NULL}};

static struct PyModuleDef core_module = {
    PyModuleDef_HEAD_INIT, "core", "The native executor (see detcheck.engine.native).", 0, core_methods, core_slots,
    NULL,                  NULL,   NULL,
};

PyMODINIT_FUNC PyInit_core(void);

PyMODINIT_FUNC PyInit_core(void) { return PyModuleDef_Init(&core_module); }

-- The tests of rules: live findings of test files, and `:Ttsr test`, which runs the tests of a rule.

local answer = require('ttsr.trial_answer')
local message = require('ttsr.message')
local quickfix = require('ttsr.quickfix')
local server = require('ttsr.server')

local M = {}

local NO_TESTS = 'there are no tests: write NAME.test.yml beside the rule'

local namespace = vim.api.nvim_create_namespace('ttsr.rule_tests')

---Attaches the server to a test file, so that it has findings.
---@param buf integer
function M.attach(buf)
  local client = server.start(buf)
  if client ~= nil then
    -- Buffers can be attached to a client that is still starting.
    vim.lsp.buf_attach_client(buf, client.id)
  end
end

---@param failed table a case that failed
---@param encoding string
---@return table item of the quickfix list
local function item(failed, encoding)
  local buf = vim.uri_to_bufnr(failed.uri)
  vim.fn.bufload(buf)
  local row, col = answer.place(buf, failed.range.start, { 0, 0 }, encoding)
  local end_row, end_col = answer.place(buf, failed.range['end'], { 0, 0 }, encoding)
  return {
    bufnr = buf,
    lnum = row + 1,
    col = col + 1,
    end_lnum = end_row + 1,
    end_col = end_col + 1,
    type = failed.status == 'failed' and 'E' or 'W',
    text = failed.label .. ': ' .. (type(failed.message) == 'string' and failed.message or failed.status),
  }
end

---@param rules table[]
---@param encoding string
local function show(rules, encoding)
  vim.diagnostic.reset(namespace)
  -- Mistakes in test files are diagnostics of the server already, so they are only added to the list.
  local items, mistakes, passed, total = {}, {}, 0, 0
  for _, rule in ipairs(rules) do
    if type(rule.reason) == 'string' then
      items[#items + 1] = { text = ('%s is not tested: %s'):format(rule.name, rule.reason), type = 'W' }
    end
    for _, problem in ipairs(rule.problems) do
      local place = { uri = rule.testUri, range = problem.range, label = rule.name }
      mistakes[#mistakes + 1] = item(vim.tbl_extend('error', place, { message = problem.message, status = 'failed' }), encoding)
    end
    for _, case in ipairs(rule.cases) do
      total = total + 1
      if case.status == 'passed' then
        passed = passed + 1
      else
        items[#items + 1] = item(case, encoding)
      end
    end
  end
  local placed = vim.tbl_filter(function(each)
    return each.bufnr ~= nil
  end, items)
  local by_buffer = {}
  for _, each in ipairs(vim.diagnostic.fromqflist(placed)) do
    each.source = 'ttsr'
    by_buffer[each.bufnr] = by_buffer[each.bufnr] or {}
    table.insert(by_buffer[each.bufnr], each)
  end
  for buf, found in pairs(by_buffer) do
    vim.diagnostic.set(namespace, buf, found)
  end
  local title = ('TTSR: %d of %s passed'):format(passed, message.counted(total, 'rule test'))
  vim.list_extend(items, mistakes)
  quickfix.set(title, items, 'ttsr.tests')
  local where = #items == 0 and '' or (#items == 1 and '; :copen lists the failure' or '; :copen lists the failures')
  if #mistakes > 0 then
    where = '; :copen lists what is wrong'
  end
  message.show(title .. where, passed == total and #items == 0 and vim.log.levels.INFO or vim.log.levels.WARN)
end

---Says what to do where a buffer has no tests.
---@param buf integer
---@return string
local function without_tests(buf)
  local path = vim.api.nvim_buf_get_name(buf)
  if vim.bo[buf].filetype == 'markdown' or path:match('%.test%.ya?ml$') then
    return NO_TESTS
  end
  local what = vim.fn.isabsolutepath(path) == 1 and ("'%s'"):format(vim.fs.basename(path)) or 'this text'
  return ("%s is no rule: ':Ttsr test all' runs the tests of all rules"):format(what)
end

---Runs the tests of the rule, or of the test file, in the current buffer; with `all`, of all rules of the workspace.
---@param all boolean?
function M.run(all)
  local buf = vim.api.nvim_get_current_buf()
  local params = { run = true }
  if all then
    -- Progress is shown by |vim.lsp.status()|, and by the event LspProgress.
    params.workDoneToken = ('ttsr-tests-%d'):format(vim.uv.hrtime())
  else
    params.uris = { vim.uri_from_bufnr(buf) }
  end
  server.with_client(buf, function(client)
    client:request('ttsr/ruleTests', params, function(failure, result)
      if failure ~= nil then
        return message.say(failure.message)
      elseif #result.rules == 0 then
        return message.say(all and NO_TESTS or without_tests(buf))
      end
      show(result.rules, client.offset_encoding)
    end)
  end)
end

return M
